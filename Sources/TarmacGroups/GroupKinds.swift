public import TarmacCore

extension TarmacError.Member.Group {
    /// A `Batch`, with its members.
    package static let batch = Self("batch", member: "member")
    /// A `RequestChain`, with its steps.
    package static let chain = Self("chain", member: "step")
    /// A `RequestGraph`, with its nodes.
    package static let graph = Self("graph", member: "node")
}

extension CallSummary.Kind {
    /// Calls that run together.
    public static let batch = Self("batch")
    /// Calls that run one after the other.
    public static let chain = Self("chain")
    /// Calls that each start once the calls they depend on have landed.
    public static let graph = Self("graph")
}
