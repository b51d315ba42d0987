//! What a tutor has to know to go on with a course.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::look::look;
use coaching::teach::looks;

pub use coaching::teach::looks::Context;

pub async fn assemble(app: &App, mind_map_id: &str) -> Result<Context, Failure> {
    let learner = super::teaching::course(app, mind_map_id).await?.learner;
    look(app, &learner, |shelf| looks::context(shelf, mind_map_id)).await
}
