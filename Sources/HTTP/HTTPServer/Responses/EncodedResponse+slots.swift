import HTTPSemantics
package import Hummingbird
import NIOCore

/// Places of a document that are filled for each client, so that it is encoded once for all of them.
extension EncodedResponse {
    /// A place of the body.
    package struct Slot: Hashable, Sendable {
        /// In bytes, with the quotation marks of JSON.
        let range: Range<Int>
        package let name: String
    }

    /// Begins the texts of slots: with 256 random bits of the process, which no text of a source can hold.
    private static let slotPrefix: String = {
        var generator = SystemRandomNumberGenerator()
        return "slot:" + (0..<4).map { _ in String(generator.next() as UInt64, radix: 16) }.joined() + ":"
    }()
    /// Begins and ends a slot of a page. No text that is escaped for HTML has this character.
    private static let pageMark: Character = "\u{1}"

    /// What a member of a JSON document has as its value to become a slot.
    ///
    /// - Parameter name: Characters that JSON does not escape.
    package static func slotText(_ name: String) -> String { self.slotPrefix + name }

    /// What stands in a page where a slot is, outside of tags.
    ///
    /// - Parameter name: Without control characters.
    package static func pageSlot(_ name: String) -> String {
        "\(self.pageMark)\(self.slotPrefix)\(name)\(self.pageMark)"
    }

    /// The slots of a document, in order.
    static func slots(in bytes: [UInt8], _ format: Format) -> [Slot] {
        let mark = format == .json ? UInt8(ascii: "\"") : Self.pageMark.asciiValue!
        let start = [mark] + Array(Self.slotPrefix.utf8)
        var slots: [Slot] = []
        var position = 0
        while let found = bytes[position...].firstIndex(of: mark) {
            position = found + 1
            guard bytes[found...].starts(with: start) else { continue }
            let name = bytes[(found + start.count)...].prefix { $0 != mark }
            guard name.endIndex < bytes.endIndex else { break }
            position = name.endIndex + 1
            slots.append(Slot(range: found..<position, name: String(decoding: name, as: UTF8.self)))
        }
        return slots
    }

    /// The document as parts of a digest, which is the same in all processes.
    static func parts(of bytes: [UInt8], around slots: [Slot]) -> [String] {
        var parts: [String] = []
        var end = 0
        for slot in slots {
            parts += [String(decoding: bytes[end..<slot.range.lowerBound], as: UTF8.self), slot.name]
            end = slot.range.upperBound
        }
        return parts + [String(decoding: bytes[end...], as: UTF8.self)]
    }

    /// As ``filled(forAll:with:)``, with a text for each name.
    package func filled(forAll isForAll: Bool = false, _ text: (_ name: String) -> String) -> EncodedResponse {
        self.filled(forAll: isForAll, with: self.slots.map { text($0.name) })
    }

    /// The response with its slots filled. Unless it is for all clients, no other than the one may have it from a cache, and a
    /// page has no tag, since tokens of forms differ every time.
    ///
    /// - Parameters:
    ///   - isForAll: Whether the texts are the same for all clients that are not known.
    ///   - texts: What takes the place of each slot, in their order: JSON or HTML.
    package func filled(forAll isForAll: Bool = false, with texts: [String]) -> EncodedResponse {
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
        response.tag = self.tag.map { EntityTag(digestOf: [$0.description] + texts) }
        guard !isForAll else { return response }
        response.variance.insert(self.format == .json ? .caller : .cookie)
        if self.format == .page { response.tag = nil }
        response.isForAll = false
        if self.caching != .none { response.caching = .own }
        return response
    }

    /// A response to one client in the coding that it accepts. Only for bodies in which every secret is masked by new random
    /// bytes: see ``HTTPTypes/HTTPFields/offerCompression(length:)``.
    ///
    /// - Returns: It as it is when nothing is gained.
    package func compressed(for request: Request) -> EncodedResponse {
        guard CompressedBodies.lengths.contains(self.bytes.readableBytes),
            let coding = AcceptEncoding(request.headers.combined(.acceptEncoding)).coding,
            let bytes = coding.compressed(self.bytes)
        else { return self }
        var response = self
        response.bytes = bytes
        response.coding = coding
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
