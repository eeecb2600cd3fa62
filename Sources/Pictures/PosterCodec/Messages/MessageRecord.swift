/// A value with a message of its fields, described once for writing and reading.
package protocol MessageRecord: MessageValue {
    associatedtype Fields: MessageFields where Fields.Record == Self

    /// The fields, in the order of the message.
    static var fields: Fields { get }
}

extension MessageRecord {
    package func write(to message: inout MessageWriter) { Self.fields.write(self, to: &message) }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self = try Self.fields.read(from: &message)
    }
}

/// The fields of a record; see ``RecordFields``.
package protocol MessageFields<Record> {
    associatedtype Record

    func write(_ record: Record, to message: inout MessageWriter)
    func read(from message: inout MessageReader) throws(MalformedMessage) -> Record
}

/// The key paths of a record's fields, and how it is made of them.
package struct RecordFields<Record, each Field: MessageValue>: MessageFields {
    private let make: (repeat each Field) -> Record
    private let paths: (repeat KeyPath<Record, each Field>)

    /// - Parameters:
    ///   - make: Creates a record from its fields.
    ///   - paths: The fields in the order of the parameters of `make`.
    package init(_ make: @escaping (repeat each Field) -> Record, _ paths: repeat KeyPath<Record, each Field>) {
        self.make = make
        self.paths = (repeat each paths)
    }

    /// - Parameters:
    ///   - start: A record; all its fields are replaced.
    ///   - paths: All fields.
    package init(replacing start: Record, _ paths: repeat WritableKeyPath<Record, each Field>) {
        func replace<Value>(_ path: WritableKeyPath<Record, Value>, by value: Value, in record: inout Record) {
            record[keyPath: path] = value
        }
        self.init(
            { (fields: repeat each Field) in
                var record = start
                repeat replace(each paths, by: each fields, in: &record)
                return record
            }, repeat each paths)
    }

    package func write(_ record: Record, to message: inout MessageWriter) {
        repeat message.write(record[keyPath: each self.paths])
    }

    package func read(from message: inout MessageReader) throws(MalformedMessage) -> Record {
        func field<Value>(
            _ path: KeyPath<Record, Value>, _ message: inout MessageReader
        ) throws(MalformedMessage) -> Value where Value: MessageValue {
            try message.read()
        }
        return self.make(repeat try field(each self.paths, &message))
    }
}
