import HTTPSemantics
import NIOCore

/// Places of a document that are filled for each client, so that it is encoded once for all of them.
extension JSONResponse {
    /// A place of the body.
    package struct Slot: Hashable, Sendable {
        /// In bytes, with the quotation marks.
        let range: Range<Int>
        package let name: String
    }

    /// Begins the texts of slots: with 256 random bits of the process, which no text of a source can hold.
    private static let slotPrefix: String = {
        var generator = SystemRandomNumberGenerator()
        return "slot:" + (0..<4).map { _ in String(generator.next() as UInt64, radix: 16) }.joined() + ":"
    }()

    /// What a member has as its value to become a slot.
    ///
    /// - Parameter name: Characters that JSON does not escape.
    package static func slotText(_ name: String) -> String { self.slotPrefix + name }

    /// The slots of a document, in order.
    static func slots(in json: [UInt8]) -> [Slot] {
        let quote = UInt8(ascii: "\"")
        let start = [quote] + Array(Self.slotPrefix.utf8)
        var slots: [Slot] = []
        var position = 0
        while let found = json[position...].firstIndex(of: quote) {
            position = found + 1
            guard json[found...].starts(with: start) else { continue }
            let name = json[(found + start.count)...].prefix { $0 != quote }
            position = name.endIndex + 1
            slots.append(Slot(range: found..<position, name: String(decoding: name, as: UTF8.self)))
        }
        return slots
    }

    /// The document as parts of a digest, which is the same in all processes.
    static func parts(of json: [UInt8], around slots: [Slot]) -> [String] {
        var parts: [String] = []
        var end = 0
        for slot in slots {
            parts += [String(decoding: json[end..<slot.range.lowerBound], as: UTF8.self), slot.name]
            end = slot.range.upperBound
        }
        return parts + [String(decoding: json[end...], as: UTF8.self)]
    }

    /// The response to one client: no other may have it from a cache.
    ///
    /// - Parameter text: The JSON that takes the place of the slot of a name.
    package func filled(_ text: (_ name: String) -> String) -> JSONResponse {
        let texts = self.slots.map { text($0.name) }
        var bytes = ByteBuffer()
        bytes.reserveCapacity(self.bytes.readableBytes + texts.reduce(0) { $0 + $1.utf8.count })
        var end = 0
        for (slot, text) in zip(self.slots, texts) {
            bytes.write(self.bytes, from: end, to: slot.range.lowerBound)
            bytes.writeString(text)
            end = slot.range.upperBound
        }
        bytes.write(self.bytes, from: end, to: self.bytes.readableBytes)
        var response = self
        response.bytes = bytes
        response.slots = []
        response.tag = EntityTag(digestOf: [self.tag.description] + texts)
        response.variance.insert(.caller)
        response.isForAll = false
        if self.caching != .none { response.caching = .own }
        return response
    }
}

extension ByteBuffer {
    /// - Parameters:
    ///   - start: Of `other`'s readable bytes.
    ///   - end: Not before `start`.
    fileprivate mutating func write(_ other: ByteBuffer, from start: Int, to end: Int) {
        self.writeBytes(other.readableBytesView[(other.readerIndex + start)..<(other.readerIndex + end)])
    }
}
