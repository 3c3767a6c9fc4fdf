/// The result of a look-up in a container.
struct Lookup {
    /// The place of the value; nil if there is none.
    var place: Int?
    /// The number of children that it walked past, compared or indexed.
    var steps: Int
}
