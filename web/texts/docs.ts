/** The English texts of docs, by the file that says them. */
export const documentTexts = {
  sections: ' sections',
};

export const frameTexts = {
  searchTheDocuments: 'Search the documents',
  documents: 'Documents',
  firstSteps: 'First steps',
  restReference: 'REST reference',
  messagesOnWs: 'Messages on /ws',
  searching: 'Searching.',
  nothingHasInIt: (words: string | number) => `Nothing has “${words}” in it.`,
  sections: (length: string | number) => `${length} sections`,
};

export const messagesTexts = {
  messagesOnWs: 'Messages on /ws',
  madeFrom: 'Made from ',
  asyncapiJson: 'asyncapi.json',
  ofThisServer: ' of this server.',
  whatABotSays: 'What a bot says',
  whatTheServerSays: 'What the server says',
  exampleOf: (name: string | number) => `Example of ${name}`,
};

export const schemaTexts = {
  either: 'Either',
  or: 'or',
  aListOf: 'A list of',
  optional: 'optional',
  listOf: (resolve: string | number) => `list of ${resolve}`,
  to: (low: string | number, high: string | number) => `${low} to ${high}`,
  from: (low: string | number) => `from ${low}`,
  upTo: (high: string | number) => `up to ${high}`,
  defaultWord: (byDefault: string | number) => `, default ${byDefault}`,
};

export const startTexts = {
  documents: 'Documents',
  howToPlayHereAnd: 'How to play here, and all that the server says and takes.',
  aBotInThreeSteps: 'A bot in three steps',
  toLookUp: 'To look up',
  restReference: 'REST reference',
  everyEndpointWithItsFields: ': every endpoint with its fields, limits and errors; made from ',
  openapiJson: 'openapi.json',
  messagesOnWs: 'Messages on /ws',
  everyMessageOfBothSides: ': every message of both sides; made from',
  asyncapiJson: 'asyncapi.json',
};

export const restTexts = {
  restReference: 'REST reference',
  madeFrom: 'Made from ',
  openapiJson: 'openapi.json',
  ofThisServer: ' of this server.',
  parameters: 'Parameters',
  body: 'Body',
  exampleOfTheBody: 'Example of the body',
  exampleOf: (status: string | number) => `Example of ${status}`,
  theServerCannotBeReached: 'The server cannot be reached.',
  tryIt: 'Try it',
  answerOf: (path: string | number) => `Answer of ${path}`,
};
