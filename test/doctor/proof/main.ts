/** A faulty bot as a program: node dist/test/doctor/proof/main.js [DEFECT]. Without a defect it is sound. */
import { DEFECTS, type Defect } from './defects.js';
import { faultyBot } from './faulty-bot.js';

const [defect] = process.argv.slice(2);
if (defect !== undefined && !(defect in DEFECTS)) {
  process.stderr.write(`no defect is called ${defect}; there are ${Object.keys(DEFECTS).join(', ')}\n`);
  process.exit(2);
}
const {
  BASE_URL = 'http://127.0.0.1:8080',
  WS_URL = `${BASE_URL.replace('http', 'ws')}/ws`,
  NAME,
  API_KEY,
} = process.env;
const bot = faultyBot((defect ?? null) as Defect | null)({
  BASE_URL,
  WS_URL,
  NAME: NAME ?? `faulty_${process.pid}`,
  ...(API_KEY === undefined ? {} : { API_KEY }),
});
void bot.ended.then(() => {
  process.stdout.write(`${bot.output()}\n`);
  process.exitCode = bot.over === '0' ? 0 : 1;
});
