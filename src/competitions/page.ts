export interface PageRequest {
  limit: number;
  offset: number;
}
