extension String {
    /// The text, or `nil` if it consists of white space. Many servers send a blank message where they have none.
    var unlessBlank: String? { allSatisfy(\.isWhitespace) ? nil : self }
}
