import type { Page } from 'playwright-core';

/** Checks that every "bb/100" of a page stands with its sample and its interval. */
export const estimateFaults = (page: Page): Promise<string[]> => page.evaluate(faultsHere);

/** Runs in the page: it may use nothing from outside of itself. */
function faultsHere(): string[] {
  const faults: string[] = [];
  const figure = /[−+]?\d[\d,]*\.\d/;
  const interval = / to [−+]?\d|± ?\d/;
  const sample = /over [\d,]+ hands?/;
  const isNamed = (element: Element) => /bb\/100/.test(element.textContent ?? '');
  const judge = (name: string, text: string, hasSample: boolean) => {
    if (!figure.test(text)) return;
    if (!interval.test(text)) faults.push(`${name}: no interval in “${text.slice(0, 60)}”`);
    if (!hasSample && !sample.test(text)) faults.push(`${name}: no sample in “${text.slice(0, 60)}”`);
  };
  // A column of a list: a column of hands is a sample for its rows.
  for (const table of document.querySelectorAll('.list table')) {
    const heads = [...table.querySelectorAll('thead th')];
    const hasHands = heads.some((head) => /^hands/i.test(head.textContent?.trim() ?? ''));
    const columns = heads.flatMap((head, at) => (isNamed(head) ? [at] : []));
    for (const row of table.querySelectorAll('tbody tr:not([aria-hidden])')) {
      for (const at of columns) judge('column bb/100', row.children[at]?.textContent ?? '', hasHands);
      const [name, ...cells] = row.children;
      // A row of figures side by side.
      if (name !== undefined && isNamed(name)) {
        for (const cell of cells) judge('row bb/100', cell.textContent ?? '', false);
      }
    }
  }
  // Figures with their names below or above.
  for (const name of document.querySelectorAll('dt')) {
    if (isNamed(name)) judge('figure bb/100', name.nextElementSibling?.textContent ?? '', false);
  }
  // A text or a title that names a figure itself.
  for (const element of document.querySelectorAll('[title*="bb/100"]')) {
    const title = element.getAttribute('title') ?? '';
    if (/\d bb\/100/.test(title)) judge('title', title, false);
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent ?? '';
    if (!/\d bb\/100/.test(text) || node.parentElement?.closest('script, style, .doc, pre, code') !== null) continue;
    judge('text', node.parentElement?.textContent ?? text, false);
  }
  return faults;
}
