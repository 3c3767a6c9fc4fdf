/// Where a value stood when it was handed out to be changed. Holds nothing of a built value, so that nothing is copied.
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
