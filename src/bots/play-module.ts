/** `node play-module.js MODULE`: plays a bot's module on the platform that BASE_URL, WS_URL and API_KEY name. */
import { playBot } from '../../sdk/typescript/src/index.js';
import { loadBotModule } from './module.js';

const [path = ''] = process.argv.slice(2);
const mind = await loadBotModule(path);
await playBot({ decide: mind(Date.now()) });
