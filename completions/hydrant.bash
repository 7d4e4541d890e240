# bash completion for hydrant
# Generated from the command tree by `npm run completions`. Changes made here are lost.
_hydrant() {
  local cur prev path words options i
  COMPREPLY=()
  cur=${COMP_WORDS[COMP_CWORD]}
  prev=${COMP_WORDS[COMP_CWORD-1]}
  path=hydrant
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${COMP_WORDS[i]}" in
      --allow-private|--cases|--config|--crawl-concurrency|--crawl-contact|--crawl-deadline|--crawl-host-delay|--data-dir|--every|--field|--for|--key-file|--last-id|--limit|--listen|--log-format|--log-level|--max-pages|--now|--offset|--port|--scope|--seed|--since|--tag|--timeout|--url|--value) i=$((i + 1)); continue ;;
    esac
    case "$path ${COMP_WORDS[i]}" in
      'hydrant serve') path='hydrant serve' ;;
      'hydrant status') path='hydrant status' ;;
      'hydrant demo') path='hydrant demo' ;;
      'hydrant crawl') path='hydrant crawl' ;;
      'hydrant tap'|'hydrant taps') path='hydrant tap' ;;
      'hydrant rule'|'hydrant rules') path='hydrant rule' ;;
      'hydrant tail'|'hydrant stream') path='hydrant tail' ;;
      'hydrant validate') path='hydrant validate' ;;
      'hydrant match') path='hydrant match' ;;
      'hydrant analyze') path='hydrant analyze' ;;
      'hydrant rating'|'hydrant ratings') path='hydrant rating' ;;
      'hydrant key'|'hydrant keys') path='hydrant key' ;;
      'hydrant completion') path='hydrant completion' ;;
      'hydrant help') path='hydrant help' ;;
      'hydrant crawl add'|'hydrant crawl create') path='hydrant crawl add' ;;
      'hydrant crawl list'|'hydrant crawl ls') path='hydrant crawl list' ;;
      'hydrant crawl remove'|'hydrant crawl rm') path='hydrant crawl remove' ;;
      'hydrant tap list'|'hydrant tap ls') path='hydrant tap list' ;;
      'hydrant tap create'|'hydrant tap add') path='hydrant tap create' ;;
      'hydrant tap show') path='hydrant tap show' ;;
      'hydrant tap token') path='hydrant tap token' ;;
      'hydrant tap pause') path='hydrant tap pause' ;;
      'hydrant tap resume') path='hydrant tap resume' ;;
      'hydrant tap rename') path='hydrant tap rename' ;;
      'hydrant tap revoke'|'hydrant tap rm'|'hydrant tap remove') path='hydrant tap revoke' ;;
      'hydrant rule list'|'hydrant rule ls') path='hydrant rule list' ;;
      'hydrant rule add'|'hydrant rule create') path='hydrant rule add' ;;
      'hydrant rule edit') path='hydrant rule edit' ;;
      'hydrant rule show') path='hydrant rule show' ;;
      'hydrant rule remove'|'hydrant rule rm') path='hydrant rule remove' ;;
      'hydrant rating import') path='hydrant rating import' ;;
      'hydrant rating show') path='hydrant rating show' ;;
      'hydrant rating status') path='hydrant rating status' ;;
      'hydrant rating clear') path='hydrant rating clear' ;;
      'hydrant key list'|'hydrant key ls') path='hydrant key list' ;;
      'hydrant key create'|'hydrant key add') path='hydrant key create' ;;
      'hydrant key revoke'|'hydrant key rm'|'hydrant key remove') path='hydrant key revoke' ;;
    esac
  done
  case "$path $prev" in
    'hydrant --url') :; return ;;
    'hydrant --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant serve --config') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant serve --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant serve --listen') :; return ;;
    'hydrant serve --port') :; return ;;
    'hydrant serve --allow-private') :; return ;;
    'hydrant serve --crawl-concurrency') :; return ;;
    'hydrant serve --crawl-host-delay') :; return ;;
    'hydrant serve --crawl-deadline') :; return ;;
    'hydrant serve --crawl-contact') :; return ;;
    'hydrant serve --log-level') COMPREPLY=($(compgen -W 'debug info warn error' -- "$cur")); return ;;
    'hydrant serve --log-format') COMPREPLY=($(compgen -W 'auto pretty json' -- "$cur")); return ;;
    'hydrant serve --url') :; return ;;
    'hydrant serve --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant status --url') :; return ;;
    'hydrant status --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant status --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant demo --for') :; return ;;
    'hydrant demo --seed') :; return ;;
    'hydrant demo --url') :; return ;;
    'hydrant demo --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant demo --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant crawl --url') :; return ;;
    'hydrant crawl --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant crawl --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant crawl add --scope') COMPREPLY=($(compgen -W 'page host' -- "$cur")); return ;;
    'hydrant crawl add --every') :; return ;;
    'hydrant crawl add --max-pages') :; return ;;
    'hydrant crawl add --url') :; return ;;
    'hydrant crawl add --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant crawl add --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant crawl list --url') :; return ;;
    'hydrant crawl list --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant crawl list --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant crawl remove --url') :; return ;;
    'hydrant crawl remove --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant crawl remove --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap --url') :; return ;;
    'hydrant tap --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap list --url') :; return ;;
    'hydrant tap list --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap list --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap create --url') :; return ;;
    'hydrant tap create --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap create --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap show --url') :; return ;;
    'hydrant tap show --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap show --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap token --url') :; return ;;
    'hydrant tap token --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap token --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap pause --url') :; return ;;
    'hydrant tap pause --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap pause --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap resume --url') :; return ;;
    'hydrant tap resume --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap resume --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap rename --url') :; return ;;
    'hydrant tap rename --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap rename --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tap revoke --url') :; return ;;
    'hydrant tap revoke --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tap revoke --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rule --url') :; return ;;
    'hydrant rule --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rule --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rule list --url') :; return ;;
    'hydrant rule list --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rule list --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rule add --tag') :; return ;;
    'hydrant rule add --url') :; return ;;
    'hydrant rule add --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rule add --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rule edit --value') :; return ;;
    'hydrant rule edit --tag') :; return ;;
    'hydrant rule edit --url') :; return ;;
    'hydrant rule edit --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rule edit --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rule show --url') :; return ;;
    'hydrant rule show --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rule show --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rule remove --url') :; return ;;
    'hydrant rule remove --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rule remove --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant tail --since') :; return ;;
    'hydrant tail --offset') :; return ;;
    'hydrant tail --last-id') :; return ;;
    'hydrant tail --limit') :; return ;;
    'hydrant tail --timeout') :; return ;;
    'hydrant tail --for') :; return ;;
    'hydrant tail --url') :; return ;;
    'hydrant tail --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant tail --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant validate --url') :; return ;;
    'hydrant validate --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant validate --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant match --cases') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant match --now') :; return ;;
    'hydrant match --url') :; return ;;
    'hydrant match --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant match --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant analyze --field') COMPREPLY=($(compgen -W 'added removed added_anchor removed_anchor title url domain publish_time page_category page_type language' -- "$cur")); return ;;
    'hydrant analyze --url') :; return ;;
    'hydrant analyze --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant analyze --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rating --url') :; return ;;
    'hydrant rating --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rating --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rating import --url') :; return ;;
    'hydrant rating import --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rating import --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rating show --url') :; return ;;
    'hydrant rating show --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rating show --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rating status --url') :; return ;;
    'hydrant rating status --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rating status --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant rating clear --url') :; return ;;
    'hydrant rating clear --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant rating clear --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant key --url') :; return ;;
    'hydrant key --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant key --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant key list --url') :; return ;;
    'hydrant key list --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant key list --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant key create --url') :; return ;;
    'hydrant key create --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant key create --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant key revoke --url') :; return ;;
    'hydrant key revoke --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant key revoke --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant completion --url') :; return ;;
    'hydrant completion --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant completion --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
    'hydrant help --url') :; return ;;
    'hydrant help --data-dir') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return ;;
    'hydrant help --key-file') compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return ;;
  esac
  words= options=
  case "$path" in
    'hydrant') words='serve status demo crawl tap taps rule rules tail stream validate match analyze rating ratings key keys completion help' options='-V --version --url --data-dir --key-file --json -q --quiet --no-color -h --help' ;;
    'hydrant serve') words='' options='--config --data-dir --listen --port --allow-private --crawl-concurrency --crawl-host-delay --crawl-deadline --crawl-contact --log-level --log-format -h --help --url --key-file --json -q --quiet --no-color' ;;
    'hydrant status') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant demo') words='' options='--for --plain --seed -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant crawl') words='add create list ls remove rm' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant crawl add') words='' options='--scope --every --max-pages -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant crawl list') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant crawl remove') words='' options='-y --yes -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap') words='list ls create add show token pause resume rename revoke rm remove' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap list') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap create') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap show') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap token') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap pause') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap resume') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap rename') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tap revoke') words='' options='-y --yes -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rule') words='list ls add create edit show remove rm' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rule list') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rule add') words='' options='--tag --quality --no-quality --nsfw --no-nsfw -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rule edit') words='' options='--value --tag --quality --no-quality --nsfw --no-nsfw -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rule show') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rule remove') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant tail') words='' options='--since --offset --last-id --limit --timeout --for --once --plain --no-reconnect -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant validate') words='' options='--fix --no-quality --nsfw -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant match') words='' options='--cases --check --quality --no-nsfw --now -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant analyze') words='' options='--field -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rating') words='import show status clear' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rating import') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rating show') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rating status') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant rating clear') words='' options='-y --yes -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant key') words='list ls create add revoke rm remove' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant key list') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant key create') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant key revoke') words='' options='-y --yes -h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant completion') words='bash zsh fish' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
    'hydrant help') words='' options='-h --help --url --data-dir --key-file --json -q --quiet --no-color' ;;
  esac
  case "$cur" in
    -*) words=$options ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _hydrant hydrant
