import { mailbox, publicAddress } from '../../lobby/index.js';
import type { AgentOrigin } from './queries.js';

/**
 * The signals that two agents share beside their play. Each may have a harmless reason: a household, a firm, a
 * university.
 */
export interface SharedSignals {
  same_mailbox: boolean;
  /** A mail domain that is no public provider's. */
  mail_domain: string | null;
  /** The address of the registration (IPv6: its /64). */
  same_address: boolean;
  /** Its neighbourhood: the /24 (IPv6: the /48). */
  same_network: boolean;
  same_wallet: boolean;
}

/** Anybody may have a mailbox there, so to share them says nothing. */
const PUBLIC_PROVIDERS = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com icloud.com
  me.com mac.com proton.me protonmail.com pm.me gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de mail.com
  mail.ru yandex.ru yandex.com ya.ru bk.ru inbox.ru list.ru rambler.ru qq.com 163.com 126.com sina.com foxmail.com
  naver.com daum.net hanmail.net zoho.com fastmail.com fastmail.fm hey.com tutanota.com tutamail.com tuta.io posteo.de
  mailbox.org orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it alice.it seznam.cz wp.pl
  o2.pl interia.pl onet.pl comcast.net verizon.net att.net sbcglobal.net cox.net btinternet.com sky.com virginmedia.com
  bigpond.com optusnet.com.au rediffmail.com uol.com.br bol.com.br terra.com.br yahoo.co.uk yahoo.co.jp yahoo.fr yahoo.de
  hotmail.co.uk hotmail.fr hotmail.de outlook.de outlook.fr live.co.uk duck.com mozmail.com privaterelay.appleid.com
  simplelogin.com anonaddy.me users.noreply.github.com`.split(/\s+/),
);

export function sharedSignals(a: AgentOrigin, b: AgentOrigin): SharedSignals {
  const [domain, other] = [domainOf(a), domainOf(b)];
  const [one, two] = [addressOf(a), addressOf(b)];
  const same_address = one !== null && one === two;
  return {
    same_mailbox: mailbox(a.email) === mailbox(b.email),
    mail_domain: domain === other && !PUBLIC_PROVIDERS.has(domain) ? domain : null,
    same_address,
    same_network: same_address || (one !== null && two !== null && networkOf(one) === networkOf(two)),
    same_wallet: a.wallets.some((wallet) => b.wallets.includes(wallet)),
  };
}

const domainOf = ({ email }: AgentOrigin) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** One host or household; of addresses that are no public ones, the address itself. */
const addressOf = ({ registeredIp: ip }: AgentOrigin) => (ip === null ? null : (publicAddress(ip) ?? ip));

const networkOf = (address: string) =>
  address.includes(':') ? address.split(':').slice(0, 3).join(':') : address.split('.').slice(0, 3).join('.');
