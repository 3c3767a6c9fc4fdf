public import TarmacCore

extension TarmacError.Member.Group {
    /// A `Batch`, with its members.
    public static let batch = Self("batch", member: "member")
    /// A `RequestChain`, with its steps.
    public static let chain = Self("chain", member: "step")
    /// A `RequestGraph`, with its nodes.
    public static let graph = Self("graph", member: "node")
}
