import { useLayoutEffect } from 'preact/hooks';

/**
 * Keys of a page: by `KeyboardEvent.key`. Fields that are written in, and keys with Ctrl or Alt, are left alone. A
 * key's effect comes with the picture, not some time after it.
 */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { target } = event;
      const field =
        target instanceof HTMLElement && target.closest('input:not([type=range]), textarea, select, dialog');
      const does = keys[event.key];
      if (field || does === undefined) return;
      // A focused button is pressed by the space key, and a slider moved by arrows, as everywhere.
      if (event.key === ' ' && target instanceof HTMLElement && target.closest('button, a, summary')) return;
      event.preventDefault();
      does();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
}
