extension TarmacError {
    /// Which call of a batch, step of a chain or node of a graph an error comes from.
    public struct Member: Sendable, Hashable, CustomStringConvertible {
        /// What a call can be part of.
        public enum Group: String, Sendable, CaseIterable {
            case batch, chain, graph
        }

        /// What it is part of.
        public let group: Group
        /// Its place, from 0.
        public let index: Int
        /// How many there are, so far as is known: a chain may get more steps on its way.
        public let total: Int
        /// The endpoint's name, or that of the work.
        public let name: String

        public init(group: Group, index: Int, total: Int, name: String) {
            self.group = group
            self.index = index
            self.total = total
            self.name = name
        }

        /// Such as `batch member 2 of 5, GetUser`; counted from 1.
        public var description: String {
            let kind =
                switch group {
                case .batch: "batch member"
                case .chain: "chain step"
                case .graph: "graph node"
                }
            return "\(kind) \(index + 1) of \(total), \(name)"
        }
    }

    /// The member of the batch, chain or graph that failed; `nil` for a call on its own. With groups inside groups that of
    /// the outermost; ``members`` has them all.
    public var member: Member? { members.first }
}

extension TarmacError.Member {
    /// An error of this member as it leaves the group: its code stays, foreign ones get one.
    func naming(_ error: any Error) -> any Error {
        if error is CancellationError { return error }
        return (error as? TarmacError ?? Landings.foreign(error)).within(self)
    }
}
