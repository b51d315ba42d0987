use coaching::drill::*; use coaching::pack::*; use coaching::turn::*; use coaching::learner::*; use std::time::Instant;
use flow::*;
fn main(){
 let src=std::fs::read("packs/german-first-words.yaml").unwrap();
 let pack=Pack::read(&src,"german-first-words.yaml").unwrap();
 let t=Instant::now(); let law=Law::read(LAW).unwrap(); let m=Machine::bind(&law,Some(&vocabulary()),&Overrides::new()).unwrap(); println!("bind {:?}",t.elapsed());
 let t=Instant::now(); let p2=pack.clone(); println!("clone {:?}",t.elapsed());
 let recs:Vec<Record>=pack.items.iter().skip(1).take(65).map(|i|{let mut l=LearnerItem::new(0); l.status=Status::Learned; l.record(format!("{}/{}",pack.id,i.id),Some(i64::MAX))}).collect();
 let f=Typed(Drill::new([p2]));
 let mo=|r|Moment{now_us:1,seed:1,learner:"a",records:r};
 let t=Instant::now(); let o=f.open(&m,&serde_json::json!({"pack":pack.id}),mo(&recs)).unwrap(); println!("open {:?} data {}",t.elapsed(),o.data.len());
 let inp=|e:&str,p|Input{event:m.event_named(e).unwrap(),payload:p,facts:Facts::default(),source:Source::User};
 let t=Instant::now(); let s=f.take(&m,&o.at,&o.data,inp("start",serde_json::json!({})),mo(&[])).unwrap(); println!("start {:?}",t.elapsed());
 let t=Instant::now(); let n=20; for _ in 0..n { f.take(&m,&s.at,&s.data,inp("asr_result",serde_json::json!({"text":"Hallo, Anna, wie geht es dir heute"})),mo(&[])).unwrap(); } println!("asr {:?} {}",t.elapsed()/n, s.data.len());
 let long="wie geht das ".repeat(150);
 let t=Instant::now(); f.take(&m,&s.at,&s.data,inp("asr_result",serde_json::json!({"text":long})),mo(&[])).unwrap(); println!("long {:?}",t.elapsed());
}
