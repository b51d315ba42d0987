UPDATE log SET learner = instance.learner FROM instance WHERE instance.id = log.instance AND log.learner = '';
UPDATE effect SET learner = instance.learner FROM instance WHERE instance.id = effect.instance AND effect.learner = '';
UPDATE timer SET learner = instance.learner FROM instance WHERE instance.id = timer.instance AND timer.learner = '';
