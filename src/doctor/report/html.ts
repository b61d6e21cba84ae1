import { escaped, standalonePage } from '../../command/report.js';
import type { CaseOutcome } from '../examine.js';
import { shownEntries, examSummaryOf, verdictLine, type ShownEntry } from './summary.js';

const STYLE = `
.figures { display: flex; flex-wrap: wrap; gap: 8px 24px; margin: 16px 0; font-variant-numeric: tabular-nums; }
.figures b { display: block; font-size: 28px; line-height: 1.2; }
.passed { color: var(--good); } .failed { color: var(--bad); } .advice { color: var(--hint); }
details { background: var(--raised); border: 1px solid var(--line); border-radius: 6px; margin: 4px 0; }
summary { padding: 8px 12px; cursor: pointer; display: flex; gap: 12px; align-items: baseline; flex-wrap: wrap; }
summary b { min-width: 56px; } summary .soft { margin-left: auto; }
.body { padding: 0 12px 12px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 12px; margin: 0 0 12px; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.frames { overflow-x: auto; }
table { border-collapse: collapse; font: 12px/1.5 ui-monospace, monospace; width: 100%; }
td { border-top: 1px solid var(--line); padding: 2px 8px 2px 0; vertical-align: top; }
td:first-child { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td:last-child { overflow-wrap: anywhere; min-width: 200px; }
tr.bot td { color: var(--good); } tr.doctor td { color: var(--hint); } tr.kept td { color: var(--soft); }
pre { font: 12px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 8px 0; }
@media (max-width: 600px) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 8px; } }
`;

const WORDS = { passed: 'passed', advice: 'advice', failed: 'failed' } as const;
const SPEAKERS = { bot: '→ bot', server: '← server', kept: '× not sent on', doctor: '· doctor' } as const;
const ORDER = ['failed', 'advice', 'passed'] as const;

/** One page that needs nothing else: to be opened, or sent to somebody. */
export function htmlReport(bot: string, outcomes: readonly CaseOutcome[]): string {
  const summary = examSummaryOf(outcomes);
  const { score, passed, failed, advice, notReached, notApplicable } = summary;
  const figures = [
    [`${score}`, 'of 100'],
    [`${passed}`, 'passed'],
    [`${failed}`, 'failed'],
    [`${advice}`, 'with advice'],
    ...(notReached > 0 ? [[`${notReached}`, 'did not come about']] : []),
    ...(notApplicable > 0 ? [[`${notApplicable}`, 'not applicable']] : []),
  ].map(([figure, word]) => `<div><b>${figure}</b><span class="soft">${word}</span></div>`);
  const sections = ORDER.map((verdict) =>
    section(
      verdict,
      outcomes.filter((each) => each.verdict === verdict),
    ),
  );
  return standalonePage(
    `Doctor: ${bot}`,
    `<h1>${escaped(bot)}</h1>
<p class="${summary.sound ? 'passed' : 'failed'}">${escaped(verdictLine(summary))}</p>
<div class="figures">${figures.join('')}</div>
<p class="soft">Examined ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC by the doctor of Agent Poker, ${outcomes.length} cases. Times are in milliseconds from the start of a case.</p>
${sections.join('')}`,
    STYLE,
  );
}

function section(verdict: CaseOutcome['verdict'], outcomes: readonly CaseOutcome[]): string {
  if (outcomes.length === 0) return '';
  return `<h2>${WORDS[verdict][0]!.toUpperCase()}${WORDS[verdict].slice(1)} (${outcomes.length})</h2>\n${outcomes.map(entryOf).join('\n')}`;
}

function entryOf(outcome: CaseOutcome): string {
  const { case: each, verdict, reached, notApplicable, findings, ms, output } = outcome;
  const { shown, before } = shownEntries(outcome);
  const yours =
    findings.length > 0 ? findings.map(({ text }) => text) : [reached ? 'That.' : notReachedText(notApplicable)];
  return `<details${verdict === 'failed' ? ' open' : ''}><summary><b class="${verdict}">${reached ? WORDS[verdict] : 'open'}</b><span>${escaped(each.name)}</span><span class="soft">${(ms / 1000).toFixed(1)} s</span></summary>
<div class="body"><dl><dt>Done</dt><dd>${escaped(each.done)}</dd><dt>A sound bot</dt><dd>${escaped(each.sound)}</dd><dt>Yours</dt><dd class="${verdict}">${yours.map(escaped).join('<br>')}</dd><dt>Stands in</dt><dd>docs/protocol.md, “${escaped(each.heading)}”</dd></dl>
<details><summary><span>${shown.length} of ${shown.length + before} frames and events</span></summary><div class="body frames"><table>${shown.map(row).join('')}</table></div></details>
${output === '' || verdict === 'passed' ? '' : `<details><summary><span>What the program wrote</span></summary><div class="body"><pre>${escaped(output)}</pre></div></details>`}</div></details>`;
}

const notReachedText = (notApplicable: string | null): string =>
  notApplicable === null
    ? 'It decided otherwise: the situation did not come about.'
    : `Not applicable to a bot that reads lean frames: ${notApplicable}.`;

const row = ({ at, line, from, text }: ShownEntry): string =>
  `<tr class="${from}"><td>${at}</td><td>${line === 0 ? '' : line}</td><td>${SPEAKERS[from]}</td><td>${escaped(text)}</td></tr>`;
