import type { Page } from 'playwright-core';

/** Checks the boxes of a page: nothing scrolls sideways, no text leaves its box, little moves by itself. */

/** The most that parts of a page may move while it loads (cumulative layout shift). */
export const MOST_SHIFT = 0.1;

/** Before the first page of a context: shifts are counted from its beginning. */
export const COUNT_SHIFTS = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const nodes = entry.sources.map(({ node }) => node?.nodeType === 1 ? node.tagName + '.' + node.getAttribute('class') : '');
      if (!entry.hadRecentInput) globalThis.shifts.push({ value: entry.value, nodes });
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

interface Shift {
  value: number;
  /** The parts that moved. */
  nodes: string[];
}

/** The sum of all shifts so far, and the largest of them in words. */
export async function shiftOf(page: Page): Promise<{ sum: number; words: string }> {
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  const largest = [...shifts].sort((a, b) => b.value - a.value)[0];
  return { sum, words: largest === undefined ? '' : `${largest.value.toFixed(3)} of ${largest.nodes.join(', ')}` };
}

/** The faults of a page's layout, in words. */
export const layoutFaults = (page: Page): Promise<string[]> => page.evaluate(faultsHere);

/** Runs in the page: it may use nothing from outside of itself. */
function faultsHere(): string[] {
  const faults: string[] = [];
  /** Pixels that rounding may take. */
  const slack = 1.5;
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) {
    const outside = [...document.querySelectorAll('body *')].filter(
      (each) => each.getBoundingClientRect().right > innerWidth + 1 && scrollerOf(each) === null,
    );
    faults.push(`scrolls sideways: ${wide} > ${innerWidth}, ${outside.slice(0, 3).map(nameOf).join(', ')}`);
  }
  faults.push(...leavingTexts(), ...collisions(), ...sortedOutOfView());
  return faults;

  function nameOf(element: Element): string {
    return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`;
  }

  /** The nearest part around it that scrolls sideways or ends its text with an ellipsis; null for none. */
  function scrollerOf(element: Element): Element | null {
    for (let each = element.parentElement; each !== null && each !== document.body; each = each.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(each);
      if (['auto', 'scroll'].includes(overflowX) || clipPath !== 'none') return each;
    }
    return null;
  }

  function isCut(element: Element | null): boolean {
    for (let each = element; each !== null && each !== document.body; each = each.parentElement) {
      const { overflowX, textOverflow, clipPath, display } = getComputedStyle(each);
      if (clipPath !== 'none' || (overflowX !== 'visible' && textOverflow === 'ellipsis')) return true;
      // A text that scrolls in its own box, such as code.
      if (['auto', 'scroll'].includes(overflowX) && each.querySelector('table') === null) return true;
      if (display === 'table-cell') return false;
    }
    return false;
  }

  /** The nearest box that has to hold a text: a cell, a block, an item of a grid or a button. */
  function boxOf(element: Element): Element {
    let box = element;
    while (['inline', 'contents'].includes(getComputedStyle(box).display) && box.parentElement !== null) {
      box = box.parentElement;
    }
    return box;
  }

  /** Texts that are wider than the box that holds them. */
  function leavingTexts(): string[] {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement!;
      const text = node.textContent?.trim() ?? '';
      if (text === '' || element.closest('svg, script, style, option') !== null || isCut(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const inner = range.getBoundingClientRect();
      if (inner.width === 0) continue;
      const cell = element.closest('td, th');
      for (const box of [boxOf(element), ...(cell === null ? [] : [cell])]) {
        const outer = box.getBoundingClientRect();
        if (inner.right > outer.right + slack || inner.left < outer.left - slack) {
          found.push(`“${text.slice(0, 40)}” leaves its ${nameOf(box)}`);
          break;
        }
      }
    }
    return found;
  }

  /** Checks the table's picture: texts and cards that overlap, or leave their plate or the picture. */
  function collisions(): string[] {
    return [...document.querySelectorAll('.table-picture')].flatMap((picture) => {
      const boxes = (selector: string, within: Element = picture) =>
        [...within.querySelectorAll(selector)].map((element) => ({
          element,
          box: element.getBoundingClientRect(),
          words: `${nameOf(element)} “${element.textContent?.slice(0, 24) ?? ''}”`,
        }));
      const found: string[] = [];
      type Boxed = ReturnType<typeof boxes>[number];
      const overlap = ({ box: a }: Boxed, { box: b }: Boxed) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > slack &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > slack;
      const within = ({ box: a }: Boxed, b: DOMRect) => a.left >= b.left - slack && a.right <= b.right + slack;
      const apart = (a: Boxed, b: Boxed) => {
        if (overlap(a, b)) found.push(`${a.words} lies over ${b.words}`);
      };
      for (const { element: seat } of boxes('.seat')) {
        const plate = seat.querySelector('.plate')!.getBoundingClientRect();
        const texts = boxes('.plate-text > *', seat);
        texts.forEach((text, i) => {
          if (!within(text, plate)) found.push(`${text.words} leaves its plate`);
          for (const other of texts.slice(i + 1)) {
            // Letters reach into the line above by their accents and descents.
            if (text.box.bottom - other.box.top < 6 || other.box.bottom - text.box.top < 6) continue;
            apart(text, other);
          }
        });
        const tab = seat.querySelector('.note-tab')?.getBoundingClientRect();
        for (const note of boxes('.note', seat)) {
          if (tab !== undefined && !within(note, tab)) found.push(`${note.words} leaves its tab`);
        }
        const [plateBox] = boxes('.plate', seat);
        for (const card of boxes('.hole .playing-card', seat)) apart(card, plateBox!);
      }
      const parts = [
        ...boxes('.seat'),
        ...boxes('.middle .playing-card'),
        ...boxes('.pot-figure'),
        ...boxes('.bet-figure'),
      ];
      parts.forEach((part, i) => parts.slice(i + 1).forEach((other) => apart(part, other)));
      const frame = picture.getBoundingClientRect();
      for (const part of parts) {
        const { top, bottom } = part.box;
        if (!within(part, frame) || top < frame.top - slack || bottom > frame.bottom + slack)
          found.push(`${part.words} leaves the picture`);
      }
      return found;
    });
  }

  /** The column that a list is sorted by is the one that a reader looks for. */
  function sortedOutOfView(): string[] {
    const heads = [...document.querySelectorAll('.list th[aria-sort]')];
    const outside = heads.filter((head) => head.getBoundingClientRect().right > innerWidth);
    return outside.map((head) => `the sorted column “${head.textContent ?? ''}” is out of view`);
  }
}
