// Compiled by scripts/fuzz into one module with Sources/TarmacJSON, under libFuzzer and the address sanitizer.
import Foundation

/// Any bytes: they are an error that can be described, or a document on which all readers agree. And they are a script of
/// calls, by which encoders, edits and decoders must do what a simple model does.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: start, count: count)
    // An allocation that ends with the text, so that reading one byte more is seen.
    let text = ExactBytes(input)
    fuzzCalls(input)
    let isGrammatical = ReferenceGrammar.accepts(Array(input))
    do {
        let document = try JSONDocument(owner: text, bytes: text.bytes)
        require(isGrammatical, "accepted against the grammar")
        require(document.indexByteCount <= 4 * count + 1024, "a tape of more than four times the text")
        var random = SeededGenerator(seed: input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        FuzzReaders(document, Data(input)).run()
        FuzzFoundation(document, Data(input)).run(&random)
        FuzzShapes(document.root).run(&random)
    } catch {
        require(!isGrammatical, "refused against the grammar: \(error)")
        require((error.offset ?? 0) <= count && error.description.utf8.count < 4096 + 16 * count, "an error beyond the text")
        requireNoSecret(error, of: Data(input))
    }
    return 0
}

private func fuzzCalls(_ input: UnsafeBufferPointer<UInt8>) {
    let differences = [
        EncoderCalls.run(CallBytes(input)).difference, EditCalls.difference(CallBytes(input)), DecoderCalls.difference(CallBytes(input)),
    ]
    for case let difference? in differences { fatalError(difference) }
}

/// A secret under its own key is in no error. Where that key really begins a member is clear without escapes alone.
func requireNoSecret(_ error: any Error, of data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    let rest = ["{", ","].reduce(text) { $0.replacing("\($1)\"password\":\"hunter2secret\"", with: "") }
    if text.contains("\\") || rest.contains("hunter2secret") { return }
    require(!"\(error)".contains("hunter2secret"), "a secret in an error")
}

func require(_ claim: Bool, _ words: @autoclosure () -> String) {
    if !claim { fatalError(words()) }
}

/// Bytes in an allocation of their exact size.
// SAFETY: written in `init` alone.
final class ExactBytes: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer

    init(_ input: UnsafeBufferPointer<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: input.count, alignment: 1)
        copy.copyBytes(from: UnsafeRawBufferPointer(input))
        bytes = UnsafeRawBufferPointer(copy)
    }

    deinit { bytes.deallocate() }
}
