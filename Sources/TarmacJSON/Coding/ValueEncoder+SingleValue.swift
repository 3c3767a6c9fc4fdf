extension ValueEncoder: SingleValueEncodingContainer {
    /// Writes the single value, unless a value was written already.
    @inline(__always)
    private func once(_ value: @autoclosure () -> Any, _ body: () throws -> Void) throws {
        guard isEmpty else { throw context.refusal(of: value(), by: self.value) }
        let checkpoint = EncodingContext.Checkpoint(context)
        do { try body() } catch { throw context.rolledBack(toValueAt: checkpoint, error) }
    }

    func encodeNil() throws { try once(0) { context.writeNull() } }

    func encode(_ value: Bool) throws { try once(value) { context.write(value) } }
    func encode(_ value: String) throws { try once(value) { context.write(string: value) } }
    func encode(_ value: Double) throws { try once(value) { try context.write(floating: value) } }
    func encode(_ value: Float) throws { try once(value) { try context.write(floating: value) } }
    func encode(_ value: Int) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: Int8) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: Int16) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: Int32) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: Int64) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: UInt) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: UInt8) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: UInt16) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: UInt32) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: UInt64) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode<T: Encodable>(_ value: T) throws { try once(value) { try context.write(value) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ValueEncoder {
    func encode(_ value: Int128) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
    func encode(_ value: UInt128) throws { try once(value) { NumberWriter.write(value, to: context.output) } }
}
