extension TarmacError {
    /// The member of a group of calls that an error comes from.
    public struct Member: Sendable, Hashable, CustomStringConvertible {
        /// A kind of group, such as `batch`.
        package struct Group: Sendable, Hashable, CustomStringConvertible {
            public let description: String
            /// The word for a member.
            let member: String

            package init(_ name: String, member: String) { (description, self.member) = (name, member) }
        }

        /// The kind of the group.
        package let group: Group
        /// The index in the group, from 0.
        public let index: Int
        /// The number of members known so far. A chain may add steps while it runs.
        public let total: Int
        /// The name of the endpoint or of the work.
        public let name: String

        package init(group: Group, index: Int, total: Int, name: String) {
            self.group = group
            self.index = index
            self.total = total
            self.name = name
        }

        /// The member in words, such as `batch member 2 of 5, GetUser`; counted from 1.
        public var description: String {
            "\(group) \(group.member) \(index + 1) of \(total), \(name)"
        }
    }

    /// The member of the group that failed, or `nil` for a single call.
    ///
    /// If groups are nested, this is the member of the outermost group; ``members`` has all of them.
    package var member: Member? { members.first }
}
