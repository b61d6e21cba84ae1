import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** The present text of a table's picture. */
export const picture = (page: Page) =>
  page.evaluate(() => {
    const seats = [...document.querySelectorAll('.table-picture .seat[data-seat]')];
    const seatOf = (seat: Element) => Number(seat.getAttribute('data-seat'));
    // A short amount has the exact one as its title.
    const figure = (of: Element | null) =>
      Number(((of?.querySelector('title') ?? of)?.textContent ?? '0').replace(/\D/g, ''));
    return {
      plates: seats.map((seat) => ({
        seat: seatOf(seat),
        stack: figure(seat.querySelector('.stack')),
        won: figure(seat.querySelector('.said-won')),
      })),
      board: document.querySelectorAll('.middle .playing-card').length,
      /** Seats with open cards. */
      shown: seats.filter((seat) => seat.querySelector('.card-rank') !== null).map(seatOf),
    };
  });

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The violations that axe finds, each with its first place. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}
