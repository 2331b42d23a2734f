
# Sessions and choices, which the daemon knows; all else from the grammar above.
_belfry_complete() {
    local line first=1
    COMPREPLY=()
    while IFS= read -r line; do
        if ((first)); then
            first=0
        else
            COMPREPLY+=("$line")
        fi
    done < <(command belfry complete bash -- "$COMP_LINE" "$COMP_POINT" "$COMP_WORDBREAKS" 2>/dev/null)
    if ((first)); then
        _belfry "$@"
    else
        # No file name is a session.
        compopt +o default +o bashdefault 2>/dev/null
    fi
}

complete -F _belfry_complete -o bashdefault -o default belfry
if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _belfry_complete -o nosort -o bashdefault -o default belfry
fi
