import type { Exam } from './exam.js';
import type { ServerSettings, TableSituation } from './server/private-server.js';

/** One thing that can happen to a bot. */
export interface Case {
  /** subject/what */
  name: string;
  /** The doctor's action. */
  done: string;
  /** A sound bot's action. */
  sound: string;
  /** Heading of docs/protocol.md where it stands. */
  heading: string;
  /** The players at the table when the bot comes; null: no table yet. */
  situation?: TableSituation | null;
  settings?: Partial<ServerSettings>;
  /** Refusals that the case itself brings about. */
  permits?: readonly string[];
  mayEnd?: boolean;
  mayTimeOut?: boolean;
  /** The frames of the case that a lean socket does not read. Then the case is not applicable. */
  notLean?: string;
  /** Throws Failure, or adds findings. */
  run: (exam: Exam) => Promise<void>;
}

/** The cases of a subject, named after it. */
export const casesOf = (subject: string, cases: readonly Case[]): readonly Case[] =>
  cases.map((each) => ({ ...each, name: `${subject}/${each.name}` }));
