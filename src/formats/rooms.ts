/** Other rooms and programs with known hand files, so that a reader learns the kind of its file. */

/** The start of a text that is looked at, in characters: files of some rooms begin with lines of their own. */
const HEAD = 4000;

/** A room by a line that its hands begin with. The first that fits names the file. */
const ROOMS: readonly (readonly [pattern: RegExp, room: string])[] = [
  [/^Winamax Poker - /m, 'Winamax'],
  [/^Poker Hand #[A-Z]{0,3}\d/m, 'GGPoker'],
  [/^(?:Bovada|Bodog[\w. ]*) Hand #/m, 'Bovada'],
  [/^Ignition Hand #/m, 'Ignition'],
  [/^Full ?Tilt ?Poker(?:\.\w+)? Game #/m, 'Full Tilt'],
  [/^\*{5} (?:888|Cassava|Pacific)[\w. ]* Hand History for Game \d/m, '888poker'],
  [/^\*{5} Hand History [Ff]or Game \w+ \*{5}/m, 'PartyPoker'],
  [/^#Game No ?: ?\d/m, '888poker'],
  [/^\*{5} Hand history for game #\d/m, 'Everleaf'],
  [/^\*{5} History for hand [\w-]+/m, 'OnGame'],
  [/^<session sessioncode=|^\s*<session\b[^>]*>\s*<general>/m, 'iPoker'],
  [/^GAME #\d+(?::| Version:)/m, 'iPoker'],
  [/^EverestPoker Game #/m, 'Everest Poker'],
  [/^<description type=|^<game id="\d+-\d+" starttime=|^M(?:ERGE_GAME|erge Game) #/m, 'Merge'],
  [/^<Game (?:hhversion=|id="\d+" date=)/m, 'MicroGaming'],
  [/^<HISTORY ID=/m, 'Boss Media'],
  [/^(?:Game )?Hand #\d+ - .*\((?:No|Pot|Fixed) Limit\)/m, 'Winning Poker Network'],
  [/^Game started at: \d{4}\/\d\d?\/\d\d? /m, 'Winning Poker Network'],
  [/^Stage #\d+/m, 'Absolute Poker'],
  [/^"?-- starting hand #\d+|^entry,at,order/m, 'Poker Now'],
  [/^Game #\d+: .*(?:Hold'?em|Omaha|Stud)/im, 'Enet'],
];

/** PokerStars' own files in other languages, by their first line or by their seats. */
const LANGUAGES: readonly (readonly [pattern: RegExp, language: string])[] = [
  [/^Main (?:\w+ )?PokerStars n[°ºo]|^Siège \d+ ?: /m, 'French'],
  [/^Mano n\.[º°] ?\d+ de (?:\w+ de )?PokerStars|^Asiento \d+: /m, 'Spanish'],
  [/^(?:PokerStars )?M[ãa]o (?:PokerStars )?(?:n\.?[º°] ?|#)\d|^Lugar \d+: /m, 'Portuguese'],
  [/^(?:Platz|Sitz) \d+: |: setzt (?:Small|Big) Blind|: passt$/m, 'German'],
  [/^Раздача (?:\w+ )?PokerStars|^Место \d+: /m, 'Russian'],
];

/** PokerStars' own header, and one in a language that is not listed: words, its name, and a long number. */
const ENGLISH = /^PokerStars (?:Zoom |Home Game )?(?:Hand|Game) #/m;
const OTHER_LANGUAGE = /^(?=\p{L})(?=.*PokerStars)(?=.*[#№°º] ?\d{6})/mu;

/** "PokerPlanets Hand #1": a room that is not listed names itself as PokerStars does. */
const OWN_NAME = /^((?!PokerStars|Zoom)[A-Z]\w*(?:[ .][A-Z]\w*){0,2}) (?:Hand|Game) #\w*\d/m;

/**
 * The room, program or language that a text comes from, where it is none that can be read here; null where it is not
 * known. Give the text of a file, or of one hand: a few lines decide.
 */
export function foreignRoom(text: string): string | null {
  const head = text.slice(0, HEAD);
  if (isOpenHandHistory(head)) return 'Open Hand History';
  const room = ROOMS.find(([pattern]) => pattern.test(head))?.[1];
  if (room !== undefined) return room;
  const language = LANGUAGES.find(([pattern]) => pattern.test(head))?.[1];
  if (language !== undefined) return `PokerStars in ${language}`;
  if (!ENGLISH.test(head) && OTHER_LANGUAGE.test(head)) return 'PokerStars in another language';
  return OWN_NAME.exec(head)?.[1] ?? null;
}

/** A JSON object with the key `ohh`, or with the field that the specification demands. */
const isOpenHandHistory = (head: string) =>
  /^\s*(?:\[\s*)?\{\s*"ohh"\s*:/.test(head) || (/^\s*[[{]/.test(head) && /"spec_version"\s*:/.test(head));
