/// A name in the form in which users' names are compared: without case, `_` and `-`.
package enum NameFolding {
    package static func folded(_ name: some StringProtocol) -> String {
        guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return String(name.lowercased().filter { $0 != "_" && $0 != "-" }) }
        // True for nearly every name: its bytes are its characters.
        let bytes: [UInt8] = name.utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a byte separates the parts of a path of names, as in `user[password]` and `user.password`.
    static func isJoint(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
    }
}
