import CPosterSandbox
import Glibc

/// A page of words by which a server controls a computing worker; only the server can write it.
struct ControlPage: @unchecked Sendable {
    // Unchecked because of the pointer: the words are accessed atomically, and the page outlives its users.
    private let words: UnsafeMutablePointer<UInt64>

    static let byteCount = 4096

    private enum Word: Int {
        /// Not 0 if the job is stopped.
        case stop
        /// A bit for each dropped target.
        case dropped
        /// How much of the input has arrived; see `ArrivingBytes.word`.
        case arrived
    }

    /// - Parameter descriptor: Memory of ``byteCount`` bytes.
    /// - Returns: `nil` if it cannot be mapped.
    init?(_ descriptor: Int32, isWritable: Bool) {
        let memory = mmap(
            nil, Self.byteCount, isWritable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        self.words = memory.bindMemory(to: UInt64.self, capacity: Self.byteCount / 8)
    }

    func unmap() {
        munmap(self.words, Self.byteCount)
    }

    var isStopped: Bool { self[.stop] != 0 }

    var dropped: UInt64 { self[.dropped] }

    var arrived: Int { Int(truncatingIfNeeded: self[.arrived]) }

    func setStopped(_ isStopped: Bool) {
        self[.stop] = isStopped ? 1 : 0
    }

    func setDropped(_ targets: UInt64) {
        self[.dropped] = targets
    }

    func setArrived(_ word: Int) {
        self[.arrived] = UInt64(bitPattern: Int64(word))
    }

    private subscript(word: Word) -> UInt64 {
        get { poster_word_load(self.words + word.rawValue) }
        nonmutating set { poster_word_store(self.words + word.rawValue, newValue) }
    }
}
