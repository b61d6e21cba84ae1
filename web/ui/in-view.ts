import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** A row that scrolls sideways where it is too long: what is current in it comes into view whenever `current` changes. */
export function useCurrentInView<E extends HTMLElement>(current: string): RefObject<E | null> {
  const row = useRef<E>(null);
  useLayoutEffect(() => {
    const element = row.current;
    const marked = element?.querySelector<HTMLElement>('[aria-current="page"], [aria-pressed="true"]');
    if (!element || !marked) return;
    const [outer, inner] = [element.getBoundingClientRect(), marked.getBoundingClientRect()];
    // In the middle, so that its neighbours are seen, too.
    if (inner.left < outer.left || inner.right > outer.right) {
      element.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
    }
  }, [current]);
  return row;
}
