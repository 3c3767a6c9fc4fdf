extension JSON {
    /// Merges the members of `patch` into this object, level by level (RFC 7396, JSON merge patch).
    ///
    /// `null` removes a member, objects merge, and other values replace. If the patch repeats a key, the first member
    /// counts. A missing patch changes nothing.
    ///
    /// The time is proportional to the sizes of both.
    public mutating func merge(_ patch: JSON) {
        guard !patch.isMissing else { return }
        merge(patch, level: 0)
    }

    /// Below this level documents are merged as text: a tree is built and released by recursion, which a foreign patch
    /// must not be able to make deep.
    private static let builtLevels = 64

    private mutating func merge(_ patch: JSON, level: Int) {
        guard patch.kind == .object else {
            self = patch
            return
        }
        if level >= Self.builtLevels, let merged = DocumentMerger.merged(self, patch) {
            self = merged
            return
        }
        if kind != .object { node = .object(MemberList()) }
        withMembers { members in
            var seen: Set<ScalarText> = []
            for (key, value) in patch.members where seen.insert(ScalarText(key)).inserted {
                if value.isNull {
                    members[key] = Optional.none
                } else {
                    var member = members.take(key) ?? .null
                    member.merge(value, level: level + 1)
                    members[key] = member
                }
            }
        }
    }
}
