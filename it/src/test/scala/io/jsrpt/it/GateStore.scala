package io.jsrpt.it

import io.jsrpt.store.{BlockStore, MemoryStore, StoreCompletion}
import java.lang.foreign.MemorySegment
import java.util.concurrent.ConcurrentLinkedQueue

/** A store in memory that, while its gate is shut, begins no operation; `letOne` and `open` begin them, in order. */
final class GateStore extends BlockStore {
  private val inner = new MemoryStore(Stage.StoreBytes, Stage.BlockSize)
  private val waiting = new ConcurrentLinkedQueue[Runnable]
  @volatile private var isShut = false

  def shut(): Unit = isShut = true

  def held: Int = waiting.size

  def letOne(): Unit = waiting.remove().run()

  def open(): Unit = {
    isShut = false
    Iterator.continually(waiting.poll()).takeWhile(_ != null).foreach(_.run())
  }

  private def pass(operation: Runnable): Unit = if (isShut) waiting.add(operation) else operation.run()

  override def blockSize: Int = inner.blockSize

  override def blockCount: Long = inner.blockCount

  override def readOnly: Boolean = false

  override def read(offset: Long, into: MemorySegment, completion: StoreCompletion): Unit =
    pass(() => inner.read(offset, into, completion))

  override def write(offset: Long, from: MemorySegment, force: Boolean, completion: StoreCompletion): Unit =
    pass(() => inner.write(offset, from, force, completion))

  override def flush(completion: StoreCompletion): Unit = pass(() => inner.flush(completion))

  override def close(): Unit = {
    open()
    inner.close()
  }
}
