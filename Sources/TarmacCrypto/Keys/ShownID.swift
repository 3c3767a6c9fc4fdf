#if Crypto
/// The id of a peer in a form that an error may show.
enum ShownID {
    static func text(_ id: String) -> String {
        String(id.unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F }.prefix(64).map(Character.init))
    }
}
#endif
