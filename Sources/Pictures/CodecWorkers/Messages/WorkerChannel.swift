import CPosterSandbox
import Glibc
import PosterCodec

/// One end of the connection between a server and a worker; closed with its owner.
struct WorkerChannel: ~Copyable {
    let socket: Int32

    enum Failure: Error {
        /// The other end is closed.
        case ended
        case malformed
        case system(Int32)
    }

    /// - Parameter socket: Owned by the channel from then on.
    init(_ socket: Int32) {
        self.socket = socket
    }

    deinit {
        close(self.socket)
    }

    func send(_ message: [UInt8], _ descriptors: [Int32] = []) throws(Failure) {
        let error = message.withUnsafeBytes { bytes in
            poster_channel_send(self.socket, bytes.baseAddress!, bytes.count, descriptors, descriptors.count)
        }
        switch error {
        case 0: return
        case EPIPE, ECONNRESET, ENOTCONN: throw .ended
        default: throw .system(error)
        }
    }

    /// Waits for a message, or the end of the connection.
    ///
    /// - Parameter milliseconds: The timeout; `nil` waits indefinitely.
    /// - Returns: Whether one of them has arrived.
    func waits(milliseconds: Int32?) throws(Failure) -> Bool {
        switch poster_channel_wait(self.socket, milliseconds ?? -1) {
        case 0: return false
        case 1: return true
        default: throw .system(errno)
        }
    }

    func receive() throws(Failure) -> ReceivedMessage {
        var descriptors = [Int32](repeating: -1, count: Int(POSTER_CHANNEL_DESCRIPTORS))
        var (length, count) = (0, 0)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: MessageFrame.limit, alignment: 8)
        let error = poster_channel_receive(
            self.socket, buffer.baseAddress!, buffer.count, &length, &descriptors, &count)
        let message = ReceivedMessage(buffer, count: length, descriptors: Array(descriptors.prefix(count)))
        switch error {
        case 0: break
        case EMSGSIZE: throw .malformed
        case ECONNRESET: throw .ended
        default: throw .system(error)
        }
        if length == 0 { throw .ended }
        return message
    }
}

/// A received message. Its descriptors are closed with it unless they are taken.
final class ReceivedMessage {
    private let buffer: UnsafeMutableRawBufferPointer
    private let count: Int
    private var descriptors: [Int32]

    fileprivate init(_ buffer: UnsafeMutableRawBufferPointer, count: Int, descriptors: [Int32]) {
        self.buffer = buffer
        self.count = count
        self.descriptors = descriptors
    }

    deinit {
        for descriptor in self.descriptors where descriptor >= 0 { close(descriptor) }
        self.buffer.deallocate()
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self.buffer[..<self.count]) }

    var descriptorCount: Int { self.descriptors.count }

    /// A descriptor, still owned by the message.
    func descriptor(_ index: Int) throws -> Int32 {
        guard self.descriptors.indices.contains(index), self.descriptors[index] >= 0 else { throw MalformedMessage() }
        return self.descriptors[index]
    }

    /// Copies a part of the memory of a descriptor, which another process may still write, cut short, or punch holes
    /// into.
    ///
    /// It is read, not mapped: a page of a mapping that is gone, or that the kernel cannot allocate, ends this process.
    /// Mapping all of it also takes longer.
    ///
    /// - Returns: Whether it has all of these bytes, and can be read.
    func copy(_ index: Int, from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
        guard let descriptor = try? self.descriptor(index) else { return false }
        return readAll(descriptor, from: offset, into: buffer)
    }

    /// Takes ownership of a descriptor as immutable memory.
    func takeMemory(_ index: Int) throws -> SealedMemory {
        let descriptor = try self.descriptor(index)
        self.descriptors[index] = -1
        guard let memory = SealedMemory(received: descriptor) else { throw MalformedMessage() }
        return memory
    }
}
