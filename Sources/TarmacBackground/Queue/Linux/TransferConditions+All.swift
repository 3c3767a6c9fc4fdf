#if !canImport(Darwin)
extension TransferConditions {
    /// The system reports nothing.
    static func system() -> AsyncStream<TransferConditions> { AsyncStream { $0.yield(.all) } }
}
#endif
