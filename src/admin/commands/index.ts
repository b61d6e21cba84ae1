import type { AdminCommand } from '../command.js';
import { agentCommands } from './agents.js';
import { competitionCommands } from './competitions.js';
import { inviteCommands } from './invites.js';
import { logCommands } from './log.js';
import { nodeCommands } from './nodes.js';
import { paymentCommands } from './payments.js';
import { seasonCommands } from './seasons.js';
import { tableCommands } from './tables.js';

/** All that `npx agent-poker admin` can do, in the order in which --help lists it. */
export const COMMANDS: readonly AdminCommand[] = [
  ...agentCommands,
  ...tableCommands,
  ...seasonCommands,
  ...competitionCommands,
  ...inviteCommands,
  ...paymentCommands,
  ...nodeCommands,
  ...logCommands,
];
