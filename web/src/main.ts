import { mount } from 'svelte';
import './app.css';
import App from './App.svelte';
import * as kept from './lib/kept';

const theme = kept.read('theme', '');
if (theme) document.documentElement.dataset.theme = theme;

mount(App, { target: document.getElementById('app')! });
