/// A value that a stage attaches to a request, a response or the rest of the chain. Stages of the same module
/// read it.
public protocol Attachment: Sendable {}

/// Attached values, at most one of each type.
@usableFromInline package struct Attachments: Sendable {
    // The values form a linked list without an array, because a message carries only one or two.
    @usableFromInline var head: AttachmentNode?

    @inlinable package init() {}

    @inlinable package subscript<Value: Attachment>(type: Value.Type) -> Value? {
        get {
            var node = head
            while let current = node {
                // A node of this type identifier is a `Node<Value>`.
                if current.type == ObjectIdentifier(type) { return unsafeDowncast(current, to: Node<Value>.self).value }
                node = current.next
            }
            return nil
        }
        set {
            head = Self.without(ObjectIdentifier(type), head)
            if let newValue { head = Node(newValue, next: head) }
        }
    }

    @usableFromInline static func without(_ type: ObjectIdentifier, _ node: AttachmentNode?) -> AttachmentNode? {
        guard let node else { return nil }
        if node.type == type { return node.next }
        let rest = without(type, node.next)
        return rest === node.next ? node : node.copy(next: rest)
    }

    // SAFETY: constant, and its value is Sendable.
    @usableFromInline final class Node<Value: Attachment>: AttachmentNode, @unchecked Sendable {
        @usableFromInline let value: Value

        @inlinable init(_ value: Value, next: AttachmentNode?) {
            self.value = value
            super.init(ObjectIdentifier(Value.self), next: next)
        }

        @usableFromInline override func copy(next: AttachmentNode?) -> AttachmentNode { Node(value, next: next) }
    }
}

// SAFETY: constant, and so are its subclasses, which hold a Sendable value.
@usableFromInline class AttachmentNode: @unchecked Sendable {
    @usableFromInline let type: ObjectIdentifier
    @usableFromInline let next: AttachmentNode?

    @inlinable init(_ type: ObjectIdentifier, next: AttachmentNode?) {
        self.type = type
        self.next = next
    }

    @usableFromInline func copy(next: AttachmentNode?) -> AttachmentNode { AttachmentNode(type, next: next) }
}
