public import TarmacCore

extension TarmacError.Code {
    /// A batch, chain or graph is not valid, such as one with a limit below one or with a node of another graph.
    public static let invalidGroup = Self("invalidGroup", .input, .unsent, .lasting)
    /// A node of a graph did not run because a node that it depends on failed. The cause is the error of that node.
    public static let dependencyFailed = Self("dependencyFailed", .application, .unsent, .lasting, message: .cause)
}
