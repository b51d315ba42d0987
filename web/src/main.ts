document.body.append('');
