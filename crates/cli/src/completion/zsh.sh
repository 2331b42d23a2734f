
# Sessions and choices, which the daemon knows; all else from the grammar above.
_belfry() {
    local line
    local -a found values shown
    found=("${(@f)$(command belfry complete zsh -- "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    if [[ "$found[1]" != ":" ]]; then
        _belfry_grammar "$@"
        return
    fi
    for line in "${(@)found[2,-1]}"; do
        values+=("${line%%$'\t'*}")
        shown+=("${line%%$'\t'*}  -- ${line#*$'\t'}")
    done
    (( $#values )) && compadd -l -d shown -a values
}

if [ "$funcstack[1]" = "_belfry" ]; then
    _belfry "$@"
else
    compdef _belfry belfry
fi
