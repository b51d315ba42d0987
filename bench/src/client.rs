//! One kept-open HTTP connection to the server. The client is small, so that the server is measured and not the
//! client.

use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, StatusCode, header};
use hyper_util::rt::TokioIo;
use std::net::SocketAddr;
use tokio::net::TcpStream;

#[derive(Debug)]
pub struct Client {
    sender: SendRequest<Full<Bytes>>,
    address: SocketAddr,
    token: String,
}

impl Client {
    pub async fn connect(address: SocketAddr, token: &str) -> Result<Client, String> {
        let failed = |error: &dyn std::fmt::Display| format!("{address}: {error}");
        let stream = TcpStream::connect(address).await.map_err(|error| failed(&error))?;
        stream.set_nodelay(true).map_err(|error| failed(&error))?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await.map_err(|error| failed(&error))?;
        tokio::spawn(connection);
        Ok(Client { sender, address, token: token.to_owned() })
    }

    pub async fn get(&mut self, path: &str) -> Result<Bytes, String> {
        self.ask(Method::GET, path, String::new()).await
    }

    pub async fn post(&mut self, path: &str, json: String) -> Result<Bytes, String> {
        self.ask(Method::POST, path, json).await
    }

    /// Sends a request and returns the body of a good answer; any other answer is an error.
    async fn ask(&mut self, method: Method, path: &str, json: String) -> Result<Bytes, String> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, self.address.to_string())
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Full::from(json))
            .map_err(|error| error.to_string())?;
        self.sender.ready().await.map_err(|error| error.to_string())?;
        let answer = self.sender.send_request(request).await.map_err(|error| error.to_string())?;
        let status = answer.status();
        let body = answer.into_body().collect().await.map_err(|error| error.to_string())?.to_bytes();
        match status {
            StatusCode::OK | StatusCode::CREATED => Ok(body),
            _ => Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&body))),
        }
    }
}
