import Tarmac

extension Response {
    /// A collected body as text.
    var text: String? { body.collected.map { String(decoding: $0.array, as: UTF8.self) } }
}
