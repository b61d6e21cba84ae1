import Type from 'typebox';
import { route } from '../route.js';

/** The machine-readable descriptions of both protocols. */

const tag = 'Documents';

export const getOpenApi = route({
  id: 'getOpenApi',
  inMemory: true,
  method: 'GET',
  path: '/api/openapi.json',
  tag,
  summary: 'The REST API as an OpenAPI 3.1 document',
  auth: 'none',
  answers: { 200: Type.Object({ openapi: Type.String(), info: Type.Object({}), paths: Type.Object({}) }) },
});

export const getAsyncApi = route({
  id: 'getAsyncApi',
  inMemory: true,
  method: 'GET',
  path: '/api/asyncapi.json',
  tag,
  summary: 'The WebSocket protocol as an AsyncAPI 3.0 document',
  auth: 'none',
  answers: { 200: Type.Object({ asyncapi: Type.String(), info: Type.Object({}), channels: Type.Object({}) }) },
});
