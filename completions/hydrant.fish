# fish completion for hydrant. `hydrant __complete` knows the commands, flags and names.
function __hydrant_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    for line in (command hydrant __complete $words[2..] "$current" 2>/dev/null </dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':directories'
                __fish_complete_directories "$current"
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete --command hydrant --no-files --arguments '(__hydrant_complete)'
