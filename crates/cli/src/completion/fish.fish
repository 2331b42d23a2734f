
# Sessions and choices, which the daemon knows; all else from the grammar above.
function __fish_belfry_known_by_daemon
    set -g __fish_belfry_found (command belfry complete fish -- (commandline -opc) (commandline -ct) 2>/dev/null)
    test "$__fish_belfry_found[1]" = ":"
end
complete -c belfry -n __fish_belfry_known_by_daemon -f -a '(printf "%s\n" $__fish_belfry_found[2..])'
