extension JSONDocument {
    /// The limits of parsing, and the keys whose values errors must not quote.
    ///
    /// ```swift
    /// var options = JSONDocument.Options()
    /// options.depthLimit = 32
    /// options.maskedKeys.insert("pin")
    /// ```
    public struct Options: Sendable, Hashable {
        /// The usual names of credentials. Where ``maskedKeys`` has all of them, names are masked by their words as well:
        /// `userPassword2` and `X-Amz-Security-Token` like `password` and `token`.
        public static let defaultMaskedKeys: Set<String> = [
            "password", "passwd", "passphrase", "secret", "clientsecret", "token", "accesstoken",
            "refreshtoken", "idtoken", "sessiontoken", "authorization", "apikey", "privatekey", "cookie",
            "sessionid", "pin", "otp", "cvv", "cardnumber", "credential", "credentials",
        ]

        /// The largest nesting depth of containers. Default: 512. A greater depth throws `.depthExceeded`.
        public var depthLimit: Int

        /// The largest document in bytes. Default and maximum: 1 GiB − 1. A larger one throws `.sizeExceeded`.
        public var sizeLimit: Int

        /// The largest index in bytes. Default: 1 GiB. A larger one throws `.indexExceeded`.
        ///
        /// The index takes 8 bytes for each value and key: usually half of the document's size, at most four times it
        /// (`[1,1,1,…]`). Look-ups make no index that would exceed the limit; they walk through the values instead.
        public var indexLimit: Int

        /// The keys whose values, with everything below them, do not appear in error texts. Default:
        /// ``defaultMaskedKeys``.
        ///
        /// Your own keys are compared without case, `_` and `-`. Strings that contain JSON are never quoted.
        public var maskedKeys: Set<String>

        /// The keys whose values may appear although their words say that they are secret.
        package var shownKeys: Set<String> = []

        /// Whether the text is external. Text that this module wrote from a built value has no position for an error to
        /// name, and the keys above the value are unknown.
        var isText = true

        /// The options for text that this module wrote.
        static var built: Options {
            var options = Options(depthLimit: .max, indexLimit: .max)
            options.isText = false
            return options
        }

        public init(
            depthLimit: Int = 512, sizeLimit: Int = (1 << 30) - 1, indexLimit: Int = 1 << 30,
            maskedKeys: Set<String> = Options.defaultMaskedKeys
        ) {
            self.depthLimit = depthLimit
            self.sizeLimit = sizeLimit
            self.indexLimit = indexLimit
            self.maskedKeys = maskedKeys
        }
    }
}
