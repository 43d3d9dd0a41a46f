/** Which stream fits what is asked of it. Pure. */
@NullMarked
package dev.contrail.operations.doctor.advice;

import org.jspecify.annotations.NullMarked;
