// Lets in a client that knows no tokens: adds one to every request that it sends.
import { Agent, setGlobalDispatcher } from "undici";

const bearer = `Bearer ${process.env.ETUDE_TOKEN}`;
const withBearer = (dispatch) => (options, handler) => {
  const headers = options.headers ?? {};
  const named = Array.isArray(headers) ? [...headers, "authorization", bearer] : { ...headers, authorization: bearer };
  return dispatch({ ...options, headers: named }, handler);
};
setGlobalDispatcher(new Agent().compose(withBearer));
