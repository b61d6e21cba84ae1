import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/** A system account. */
export interface SystemAccount {
  name: string;
  uid: number;
  gid: number;
}

/** Our account, and PostgreSQL's. They are the same, except for root: PostgreSQL refuses to run as root. */
export interface ServerAccounts {
  own: SystemAccount;
  server: SystemAccount;
}

/** Accounts that root's PostgreSQL runs as, in order of preference. */
const substitutes = ['postgres', 'nobody'];

export function findAccounts(): ServerAccounts {
  const own = ownAccount();
  if (own.uid !== 0) return { own, server: own };
  const known = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid), gid: Number(gid) }));
  const server = substitutes.map((name) => known.find((account) => account.name === name)).find(Boolean);
  if (!server) {
    throw new Error('PostgreSQL does not run as root, and the accounts "postgres" and "nobody" do not exist');
  }
  return { own, server };
}

function ownAccount(): SystemAccount {
  try {
    const { username, uid, gid } = userInfo();
    return { name: username, uid, gid };
  } catch (cause) {
    const uid = process.getuid?.();
    throw new Error(`The embedded PostgreSQL needs an account with a name; user id ${uid} is not in /etc/passwd`, {
      cause,
    });
  }
}
