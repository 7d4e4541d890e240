# bash completion for hydrant, bash 3.2 and later. `hydrant __complete` knows the commands, flags and names.
_hydrant() {
  local word rest trimmed line current prefix also i count
  local words
  words=()
  count=0
  # Bash cuts words at colons and equal signs; only white space parts them here.
  rest=${COMP_LINE#"${COMP_WORDS[0]}"}
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    trimmed=${rest#"${rest%%[![:space:]]*}"}
    if [ "$count" -eq 0 ] || [ "$trimmed" != "$rest" ] || [ -z "$COMP_LINE" ]; then
      words[count]=$word
      count=$((count + 1))
    else
      words[count - 1]=${words[count - 1]}$word
    fi
    rest=${trimmed#"$word"}
  done
  current=${words[count - 1]}
  # What stands before the last place where bash cut the word is in the line already.
  prefix=${current%"${COMP_WORDS[COMP_CWORD]}"}
  COMPREPLY=()
  also=
  # Names come from a daemon that may be anyone's: they are compared, and never expanded.
  while IFS= read -r line; do
    case "$line" in
      :*) also=$line ;;
      *)
        word=${line%%$'\t'*}
        case "$word" in
          "$current"*) COMPREPLY[${#COMPREPLY[@]}]=${word#"$prefix"} ;;
        esac
        ;;
    esac
  done < <(command hydrant __complete "${words[@]}" 2>/dev/null </dev/null)
  case "$also" in
    :files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")) ;;
    :directories) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "${COMP_WORDS[COMP_CWORD]}")) ;;
  esac
}
complete -F _hydrant hydrant
