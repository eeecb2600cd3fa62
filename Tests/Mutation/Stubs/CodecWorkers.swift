/// The part of a worker's interface that originals need; no worker runs.
package enum WorkerInput {
    case memory(UnsafeRawBufferPointer)
    case file(descriptor: Int32, offset: Int, byteCount: Int)
}

package struct UnreadableWorkerInput: Error {}

package enum WorkerTime {
    package static func nanoseconds() -> UInt64 { 0 }
}
