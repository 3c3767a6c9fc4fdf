/// The place of a value that was handed out to be changed. It holds no built value, so that nothing is copied.
enum ReadPlace {
    case nowhere
    case document(DocumentStorage, Int)
    case built

    init(_ json: JSON) {
        switch json.node {
        case .missing: self = .nowhere
        case .view(let storage, let index): self = .document(storage, index)
        default: self = .built
        }
    }
}
