#if Crypto
/// An id that a peer sent, as an error may show it.
enum ShownID {
    static func text(_ id: String) -> String {
        String(id.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F }.prefix(64).map(Character.init))
    }
}
#endif
