import { command } from '../../command/options.js';
import { QUIET_MS, Progress } from '../../command/progress.js';
import { runToEnd } from '../../command/result.js';
import { loadConfig } from '../../ops/config.js';
import { inOneLine, withDatabase } from '../find-database.js';
import { audit } from './index.js';

command({
  name: 'npx agent-poker audit',
  purpose:
    'Checks every chip, credit and hand: in DATABASE_URL, in the database of the server that runs on DATA_DIR, or in the\none stored there. Exit code 0: no faults; 1: faults; 2: the audit could not run.',
  takes: 'a second or two, and about a minute a million stored hands',
  options: {},
  notes: 'Settings of npm start in the environment or ./.env (DATABASE_URL, DATA_DIR) hold.',
});

const makeAudit = () =>
  withDatabase(loadConfig(), 'audit', async (sql) => {
    const bars = new Map<string, Progress>();
    const onProgress = (done: number, all: number, unit: string) => {
      const progress = bars.get(unit) ?? new Progress(all, unit, QUIET_MS);
      bars.set(unit, progress);
      progress.show(done);
    };
    const { ok, lines } = await audit(sql, { onProgress });
    for (const progress of bars.values()) progress.clear();
    console.log(lines.join('\n'));
    return ok ? 0 : 1;
  });

await runToEnd(makeAudit, (error) => {
  console.error(inOneLine(error) ?? error);
  return 2;
});
