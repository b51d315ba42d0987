//! Offers the tutor's tools to assistants that speak the Model Context Protocol, on stdio and over HTTP.
//!
//! Nothing is decided here: a tool reads its arguments, calls the functions that the terminal and HTTP call too,
//! and returns the answer as JSON. No call leaves anything behind in this process, so any node can take the next
//! one.

mod agents;
mod faces;
mod learners;
mod prompts;
mod resources;
mod tool;

use crate::agent::Desk;
use crate::engine::app::App;
use crate::engine::flows::Flows;
use crate::engine::look::look;
use crate::learners::access::Access;
use coaching::teach::looks;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    CompletionInfo, GetPromptRequestParams, GetPromptResponse, Implementation, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use std::sync::Arc;
use tool::{Caller, Tool};

const INSTRUCTIONS: &str = "Etude keeps courses: a map of concepts for each, how well the learner knows them, and when \
    they come back. Begin with teaching_flow_list. The prompt `tutor` says how to lead a course. \
    Every tool also takes `learner`, if it is not about the default one.";
/// The field of `_meta` that holds a call's idempotency key.
const KEY: &str = "idempotencyKey";
/// The most values that one completion offers.
const MAX_OFFERED: usize = 100;

/// The server. Clones share everything.
#[derive(Debug, Clone)]
pub struct Mcp {
    caller: Caller,
    tools: Arc<Vec<Tool>>,
}

impl Mcp {
    pub fn new(app: Arc<App>, desk: Desk, access: Access) -> Mcp {
        let caller = Caller { app, desk: Arc::new(desk), access, key: None };
        let tools = Arc::new(tools(&caller.app.flows));
        Mcp { caller, tools }
    }

    /// Returns this server for another caller.
    pub fn for_access(&self, access: Access) -> Mcp {
        Mcp { caller: Caller { access, ..self.caller.clone() }, ..self.clone() }
    }

    /// Returns the tools of this caller. Tools that concern all agents are for the owner.
    fn tools(&self) -> impl Iterator<Item = &Tool> {
        let is_owner = self.caller.access == Access::Owner;
        self.tools.iter().filter(move |tool| is_owner || !tool.is_for_owner)
    }

    /// Calls a tool. Returns `None` if there is none of this name.
    pub async fn call(&self, name: &str, arguments: Option<JsonObject>) -> Option<CallToolResult> {
        self.call_once(name, arguments, None).await
    }

    /// Calls a tool with an idempotency key: a repeated call changes nothing more.
    async fn call_once(
        &self,
        name: &str,
        arguments: Option<JsonObject>,
        key: Option<String>,
    ) -> Option<CallToolResult> {
        let tool = self.tools().find(|tool| tool.described.name == name)?;
        Some(tool.call(Caller { key, ..self.caller.clone() }, arguments).await)
    }

    /// Speaks on standard input and output until the input ends.
    pub async fn serve_stdio(self) -> Result<(), String> {
        let running = self.serve(rmcp::transport::stdio()).await.map_err(|error| error.to_string())?;
        running.waiting().await.map(drop).map_err(|error| error.to_string())
    }

    /// Returns the service behind `/mcp`. Authentication and size limits have been checked before.
    pub fn over_http(self) -> StreamableHttpService<Mcp, NeverSessionManager> {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .disable_allowed_hosts();
        StreamableHttpService::new(move || Ok(self.clone()), Arc::default(), config)
    }
}

/// Returns every tool, in the order in which they are listed.
fn tools(flows: &Flows) -> Vec<Tool> {
    [faces::tools(flows), learners::tools(), agents::tools()].into_iter().flatten().collect()
}

/// Returns the contract, generated from the lists.
pub fn contract(flows: &Flows) -> Value {
    json!({
        "tools": tools(flows).into_iter().map(|tool| tool.described).collect::<Vec<_>>(),
        "resource_templates": resources::templates(),
        "prompts": prompts::list(),
    })
}

impl ServerHandler for Mcp {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("etude", env!("CARGO_PKG_VERSION")).with_title("Etude"))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools().map(Tool::listed).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let key = match context.meta.get(KEY) {
            None | Some(Value::Null) => None,
            Some(Value::String(key)) => Some(key.clone()),
            Some(_) => return Err(ErrorData::invalid_params(format!("`{KEY}` is no text"), None)),
        };
        let result = self.call_once(&request.name, request.arguments, key).await.ok_or_else(|| {
            ErrorData::invalid_params("there is no such tool; `tools/list` shows them", None)
        })?;
        Ok(result.into())
    }

    fn get_tool(&self, name: &str) -> Option<rmcp::model::Tool> {
        self.tools().find(|tool| tool.described.name == name).map(|tool| tool.described.clone())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let listed = resources::list(&self.caller).await;
        listed
            .map(ListResourcesResult::with_all_items)
            .map_err(|failure| ErrorData::internal_error(failure.to_string(), None))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.caller, &request.uri).await.map(Into::into)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let given = request.arguments.unwrap_or_default();
        prompts::get(&self.caller, &request.name, &given).await.map(Into::into)
    }

    /// Offers the ids of courses and curricula wherever an argument takes one.
    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let Caller { app, access, .. } = &self.caller;
        let headers = look(app, access.usual(), looks::headers).await;
        let headers = headers.map_err(|failure| ErrorData::internal_error(failure.to_string(), None))?;
        let curricula =
            looks::curricula(&app.flows.curricula.get()).into_iter().map(|curriculum| curriculum.id);
        let ids = headers.into_iter().map(|header| header.mind_map_id.to_string()).chain(curricula);
        let fits = ids.filter(|id| id.starts_with(&request.argument.value));
        let offered = if matches!(request.argument.name.as_str(), "id" | "mind_map_id") {
            fits.take(MAX_OFFERED).collect()
        } else {
            Vec::new()
        };
        let info = CompletionInfo::new(offered).map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(info))
    }
}
